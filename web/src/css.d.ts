// A style sheet as text, to be applied by hand.
declare module '*.css?inline' {
  const text: string;
  export default text;
}
