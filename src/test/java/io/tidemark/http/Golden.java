package io.tidemark.http;

import io.tidemark.market.Query;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Bodies written by hand, with the oddities of the real service. */
final class Golden {
  private Golden() {}

  static byte[] body(String operation) {
    try (var in = Golden.class.getResourceAsStream("golden/" + operation + ".json")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The golden answer to a question of an operation that has one. */
  static <A> A answer(Query<A> query) {
    return decode(query, body(query.operation().wire()));
  }

  static <A> A decode(Query<A> query, byte[] body) {
    return Endpoints.<A, Query<A>>of(query).decode(query, body, 200, Map.of());
  }

  static <A> byte[] encode(Query<A> query, A answer, NameStyle names) {
    return Endpoints.<A, Query<A>>of(query).encode(query, answer, names);
  }
}
