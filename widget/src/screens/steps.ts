/** The screens behind the catalog, loaded together once the catalog is there. */
export { ConnectedScreen } from './connected-screen.ts';
export { FormScreen } from './form-screen.ts';
export { ManageScreen } from './manage-screen.ts';
export { MethodScreen } from './method-screen.ts';
