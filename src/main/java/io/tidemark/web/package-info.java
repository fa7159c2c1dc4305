/**
 * What people and programs read over HTTP: push feeds, page, health, metrics and API documents; imports {@code topic},
 * {@code event}, {@code http} and {@code market} only.
 */
@NullMarked
package io.tidemark.web;

import org.jspecify.annotations.NullMarked;
