// The page for people who write programs: Swagger UI on the server's own description.
import SwaggerUI, { type Plugin, type System } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';

/** A call's address opens it when it is put into the browser. A link to it inside of the button that opens it would
 * stop a keyboard twice and a screen reader at the wrong one. */
const noLinksInButtons = ({ React }: System): Plugin => ({
  wrapComponents: {
    DeepLink: (link) => (props) => React.createElement(link, { ...props, enabled: false }),
  },
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

SwaggerUI({
  dom_id: '#docs',
  url: '/v1/openapi.json',
  validatorUrl: null, // it would be asked on another host
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  plugins: [noLinksInButtons],
});
