package io.tidemark.eventlog;

import io.tidemark.simulator.server.ResponseJournal.ServedResponse;
import io.tidemark.simulator.server.ResponseJournalFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bodies that a service sent, by response id. */
final class Bodies {
  private final Map<String, Body> byId = new HashMap<>();

  /**
   * One body.
   *
   * @param url path and query that it answered; null if it answers none
   */
  record Body(@Nullable String url, int status, ByteBuffer content) {
    byte[] bytes() {
      var bytes = new byte[content.remaining()];
      content.duplicate().get(bytes);
      return bytes;
    }
  }

  static Bodies of(List<ServedResponse> journal) {
    var bodies = new Bodies();
    for (ServedResponse served : journal) {
      bodies.put(served.id(), new Body(served.url(), served.status(), served.body()));
    }
    return bodies;
  }

  static Bodies read(Path journal) throws IOException {
    return of(ResponseJournalFile.read(journal));
  }

  void put(String id, Body body) {
    byId.put(id, body);
  }

  @Nullable
  Body find(@Nullable String id) {
    return id == null ? null : byId.get(id);
  }
}
