package io.tidemark.market;

/**
 * A watched query; a list with all its pages is one target.
 *
 * @param source name of the source that polls it
 * @param name canonical path and sorted query; the page is not part of it
 * @param query the query, with its first page
 * @param pages the most pages that are polled; 1 where the query has no pages
 */
public record Target(String source, String name, Query<?> query, int pages) {}
