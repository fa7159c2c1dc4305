/**
 * The records on the topics, generated from the schemas, and {@code ChangeView}, which defines how changes, facets,
 * derived figures and decimals are read from them. The package also contains helpers that other packages use, for
 * durations, figures, secrets, and suggestions for misspelt names. Imports no other package of Tidemark. The package
 * as a whole is not null-marked, because generated getters may return null. Handwritten classes are null-marked one
 * by one, if null matters in them.
 */
package io.tidemark.event;
