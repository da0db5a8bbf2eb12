use utoipa::openapi::path::{PathItem, Paths};

use super::near_paths::near;

/// The methods of each path of the API, by the OpenAPI document.
#[derive(Debug)]
pub(crate) struct Methods(Vec<Template>);

#[derive(Debug)]
struct Template {
    path: String,
    allow: String,
    is_operation: bool,
}

impl Methods {
    /// Reads the document, and adds `GET` for paths that it leaves out, and `OPTIONS`, which browsers send by themselves, for
    /// `preflighted`.
    pub(crate) fn new(documented: &Paths, undocumented: &[&str], preflighted: &str) -> Self {
        let documented = documented.paths.iter().map(|(path, item)| {
            let options = (path == preflighted).then_some("OPTIONS");
            Template {
                path: path.clone(),
                allow: methods(item).chain(options).collect::<Vec<_>>().join(", "),
                is_operation: true,
            }
        });
        let undocumented = undocumented.iter().map(|path| Template {
            path: (*path).to_owned(),
            allow: "GET, HEAD".to_owned(),
            is_operation: false,
        });
        Self(documented.chain(undocumented).collect())
    }

    /// Returns the value of `Allow` for a path of the API. A fixed path wins over one with variables.
    pub(crate) fn allowed(&self, path: &str) -> Option<&str> {
        let fitting = self.0.iter().filter(|template| fits(&template.path, path));
        fitting.min_by_key(|template| template.path.matches('{').count()).map(|template| template.allow.as_str())
    }

    /// Returns the path of the operation that a wrong path is nearest to; `None` if it resembles none.
    pub(crate) fn nearest(&self, path: &str) -> Option<String> {
        let operations = self.0.iter().filter(|template| template.is_operation);
        let near = operations.filter_map(|template| near(&template.path, path));
        near.min_by_key(|(cost, _)| *cost).map(|(_, path)| path)
    }
}

fn methods(item: &PathItem) -> impl Iterator<Item = &str> {
    let methods = [
        ("GET, HEAD", &item.get),
        ("POST", &item.post),
        ("PUT", &item.put),
        ("PATCH", &item.patch),
        ("DELETE", &item.delete),
    ];
    methods.into_iter().filter(|(_, operation)| operation.is_some()).map(|(name, _)| name)
}

fn fits(template: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given || (wanted.starts_with('{') && !given.is_empty()) => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_fits_its_template() {
        let table = [
            ("/", "/", true),
            ("/a", "/a", true),
            ("/a", "/a/", false),
            ("/a", "/", false),
            ("/a/{b}", "/a/x", true),
            ("/a/{b}", "/a/", false),
            ("/a/{b}", "/a/x/y", false),
            ("/a/{b}/c", "/a/x/c", true),
            ("/a/{b}/c", "/a/x/d", false),
        ];
        for (template, path, expected) in table {
            assert_eq!(fits(template, path), expected, "{template} {path}");
        }
    }

    #[test]
    fn a_fixed_path_wins_over_a_variable_one() {
        let template =
            |path: &str, allow: &str| Template { path: path.to_owned(), allow: allow.to_owned(), is_operation: true };
        let methods = Methods(vec![template("/keys/{key}", "DELETE"), template("/keys/rename", "PATCH")]);
        assert_eq!(methods.allowed("/keys/rename"), Some("PATCH"));
        assert_eq!(methods.allowed("/keys/other"), Some("DELETE"));
        assert_eq!(methods.allowed("/keys"), None);
    }

    #[test]
    fn a_wrong_path_is_near_the_operation_that_was_meant() {
        let paths = [
            "/",
            "/api/v1/sports",
            "/api/v1/predictions/{sport}/{model_type}",
            "/api/v1/predictions/{sport}/{model_type}/season",
            "/api/v1/data-status/{sport}",
            "/api/v1/picks/today",
            "/api/v1/picks/{date}",
            "/api/v1/customers/me/usage",
        ];
        let template = |path: &str| Template { path: path.to_owned(), allow: "GET".to_owned(), is_operation: true };
        let methods = Methods(paths.into_iter().map(template).collect());
        let meant = Some("/api/v1/predictions/nfl/won_on_points");
        for path in [
            "/api/v1/predictions/nfl/won_on_points/",
            "/api/v1//predictions/nfl/won_on_points",
            "/api/v1/prediction/nfl/won_on_points",
            "/API/V1/Predictions/nfl/won_on_points",
            "/api/predictions/nfl/won_on_points",
            "/api/v2/predictions/nfl/won_on_points",
            "/v1/predictions/nfl/won_on_points",
            "/predictions/nfl/won_on_points",
            "/api/v1/predictions/nfl/won_on_points/today",
        ] {
            assert_eq!(methods.nearest(path).as_deref(), meant, "{path}");
        }
        let table = [
            ("/api/v1/predictions/nfl", Some("/api/v1/predictions/nfl/{model_type}")),
            ("/api/v1/predictions/nfl/won_on_points/sesaon", Some("/api/v1/predictions/nfl/won_on_points/season")),
            ("/api/v1/data_status/nfl", Some("/api/v1/data-status/nfl")),
            ("/api/v1/picks", Some("/api/v1/picks/{date}")),
            ("/api/v1/customer/me/usage/", Some("/api/v1/customers/me/usage")),
            ("/api/v1/sports/nfl", Some("/api/v1/sports")),
            ("/api/v1/nothing/of/the/sort", None),
            ("/wp-login.php", None),
            ("/api/v1", None),
        ];
        for (path, expected) in table {
            assert_eq!(methods.nearest(path).as_deref(), expected, "{path}");
        }
        assert_eq!(methods.nearest(&"/sports".repeat(5_000)), None);
    }
}
