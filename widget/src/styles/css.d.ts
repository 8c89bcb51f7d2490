/** A style sheet imported as text with Vite's `?inline`. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
