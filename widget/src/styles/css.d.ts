/** A style sheet as text: Vite's `?inline`. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
