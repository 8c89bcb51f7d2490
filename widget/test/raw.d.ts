/** A source file imported as text with Vite's `?raw`. */
declare module '*?raw' {
  const text: string;
  export default text;
}
