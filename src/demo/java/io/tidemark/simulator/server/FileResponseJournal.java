package io.tidemark.simulator.server;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A journal of responses in a file, one JSON object per line, with {@code id, url, status, filled_at, served_at}. The
 * first line of each id since the journal was opened also has {@code body}, or {@code body_base64} if the body is not
 * UTF-8. Only the last 10,000 ids are remembered, so the body of an older id may be repeated.
 */
public final class FileResponseJournal implements ResponseJournal, AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MAX_REMEMBERED_IDS = 10_000;

  private final BufferedWriter out;
  private final Map<String, Boolean> written = new LinkedHashMap<>() {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
      return size() > MAX_REMEMBERED_IDS;
    }
  };

  public FileResponseJournal(Path file) throws IOException {
    out = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Override
  public synchronized void append(ServedResponse response) {
    try {
      out.write(JSON.writeValueAsString(line(response)));
      out.write('\n');
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the journal: " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }

  private ObjectNode line(ServedResponse response) {
    var line = JSON.createObjectNode()
        .put("id", response.id())
        .put("url", response.url())
        .put("status", response.status())
        .put("filled_at", response.filledAt().toString())
        .put("served_at", response.servedAt().toString());
    if (written.put(response.id(), true) == null) {
      putBody(line, response.body());
    }
    return line;
  }

  private static void putBody(ObjectNode line, ByteBuffer body) {
    try {
      line.put("body", StandardCharsets.UTF_8.newDecoder().decode(body.duplicate()).toString());
    } catch (CharacterCodingException e) {
      var bytes = new byte[body.remaining()];
      body.duplicate().get(bytes);
      line.put("body_base64", Base64.getEncoder().encodeToString(bytes));
    }
  }
}
