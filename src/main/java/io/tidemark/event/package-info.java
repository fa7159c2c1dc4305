/**
 * The records on the topics, generated from the schemas, and {@code ChangeView}, which knows what a change, a facet,
 * a derived figure and a decimal are. Also
 * forms of text that all rooms use: durations, figures, secrets, suggestions for a misspelt name. Imports nothing from Tidemark. The package is not null-marked as a whole,
 * because generated getters may return null. Each handwritten class is marked itself.
 */
package io.tidemark.event;
