// The entered key is kept for this tab and always sent in a header, so that it is in no address.

const KEPT = "api-key";
const IN_THE_QUERY = "api_key";

const keptForTheTab = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (schemes) => {
          const [key] = Object.values(schemes).map((scheme) => scheme.value).filter(Boolean);
          if (key) sessionStorage.setItem(KEPT, key);
          return authorize(schemes);
        },
        logout: (logout) => (schemes) => {
          sessionStorage.removeItem(KEPT);
          return logout(schemes);
        },
      },
    },
  },
});

const withoutKeyInTheAddress = (request) => {
  const address = new URL(request.url, location.href);
  const key = address.searchParams.get(IN_THE_QUERY);
  if (key !== null) {
    address.searchParams.delete(IN_THE_QUERY);
    request.url = address.href;
    request.headers["X-API-Key"] = key;
  }
  return request;
};

const page = SwaggerUIBundle({
  dom_id: "#operations",
  url: "../openapi.json",
  deepLinking: true,
  tryItOutEnabled: true,
  plugins: [keptForTheTab],
  requestInterceptor: withoutKeyInTheAddress,
  onComplete: () => {
    const key = sessionStorage.getItem(KEPT);
    if (key) page.preauthorizeApiKey("api_key_header", key);
  },
});
