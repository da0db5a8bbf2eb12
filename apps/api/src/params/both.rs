use std::marker::PhantomData;

use super::{FromParams, ParamReader};
use crate::error::ApiError;

/// The most parameters of an operation that takes two sets of them.
const MOST: usize = 16;

/// The names of two sets of parameters, in one list.
struct Names<A, B>(PhantomData<(A, B)>);

impl<A: FromParams, B: FromParams> Names<A, B> {
    const ALL: [&'static str; MOST] = {
        let (mut all, mut count) = ([""; MOST], 0);
        while count < A::TAKES.len() {
            all[count] = A::TAKES[count];
            count += 1;
        }
        while count < A::TAKES.len() + B::TAKES.len() {
            all[count] = B::TAKES[count - A::TAKES.len()];
            count += 1;
        }
        all
    };
}

/// Two sets of parameters, the first one first.
impl<A: FromParams, B: FromParams> FromParams for (A, B) {
    const TAKES: &'static [&'static str] = Names::<A, B>::ALL.split_at(A::TAKES.len() + B::TAKES.len()).0;

    fn read(params: &ParamReader<'_>) -> Result<Self, ApiError> {
        Ok((A::read(params)?, B::read(params)?))
    }
}
