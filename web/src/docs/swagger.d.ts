// The package brings no types; this is what we use of it.
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  type Component = (props: object) => unknown;
  export interface System {
    React: { createElement(component: Component, props: object): unknown };
  }
  export interface Plugin {
    wrapComponents: Record<string, (original: Component) => Component>;
  }
  export default function SwaggerUI(options: {
    dom_id: string;
    url: string;
    validatorUrl: null;
    deepLinking: boolean;
    docExpansion: 'list' | 'full' | 'none';
    defaultModelsExpandDepth: number;
    plugins: ((system: System) => Plugin)[];
  }): void;
}
