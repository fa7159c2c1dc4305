package io.tidemark.market;

/**
 * A query that is watched; a list with all its pages is one.
 *
 * @param source name of the source that watches it
 * @param name canonical path and sorted query; the page is not part of it
 * @param query the question, first page
 * @param pages how many pages are looked at, at most; 1 where the query has none
 */
public record Target(String source, String name, Query<?> query, int pages) {}
