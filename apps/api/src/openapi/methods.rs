use utoipa::openapi::path::{PathItem, Paths};

/// The methods of each path of the API, by the OpenAPI document.
#[derive(Debug)]
pub(crate) struct Methods(Vec<Template>);

#[derive(Debug)]
struct Template {
    path: String,
    allow: String,
}

impl Methods {
    /// Reads the document, and adds `GET` for paths that it leaves out, and `OPTIONS`, which browsers send by themselves, for
    /// `preflighted`.
    pub(crate) fn new(documented: &Paths, undocumented: &[&str], preflighted: &str) -> Self {
        let documented = documented.paths.iter().map(|(path, item)| {
            let options = (path == preflighted).then_some("OPTIONS");
            Template { path: path.clone(), allow: methods(item).chain(options).collect::<Vec<_>>().join(", ") }
        });
        let undocumented =
            undocumented.iter().map(|path| Template { path: (*path).to_owned(), allow: "GET, HEAD".to_owned() });
        Self(documented.chain(undocumented).collect())
    }

    /// Returns the value of `Allow` for a path of the API. A fixed path wins over one with variables.
    pub(crate) fn allowed(&self, path: &str) -> Option<&str> {
        let fitting = self.0.iter().filter(|template| fits(&template.path, path));
        fitting.min_by_key(|template| template.path.matches('{').count()).map(|template| template.allow.as_str())
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
        let template = |path: &str, allow: &str| Template { path: path.to_owned(), allow: allow.to_owned() };
        let methods = Methods(vec![template("/keys/{key}", "DELETE"), template("/keys/rename", "PATCH")]);
        assert_eq!(methods.allowed("/keys/rename"), Some("PATCH"));
        assert_eq!(methods.allowed("/keys/other"), Some("DELETE"));
        assert_eq!(methods.allowed("/keys"), None);
    }
}
