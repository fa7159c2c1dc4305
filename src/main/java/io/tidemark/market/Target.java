package io.tidemark.market;

/**
 * A watched query. A list with all its pages is one target.
 *
 * @param source name of the source that polls the target
 * @param name canonical name: path and sorted query string, without the page
 * @param query the query for the first page
 * @param pages maximum number of pages to poll; 1 if the query has no pages
 */
public record Target(String source, String name, Query<?> query, int pages) {}
