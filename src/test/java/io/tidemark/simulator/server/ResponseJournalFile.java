package io.tidemark.simulator.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.simulator.server.ResponseJournal.ServedResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the file of a {@link FileResponseJournal}. */
public final class ResponseJournalFile {
  private static final JsonMapper JSON = new JsonMapper();

  private ResponseJournalFile() {}

  /** All responses in a file, in order, each with its body. Another process may still write to the file. */
  public static List<ServedResponse> read(Path file) throws IOException {
    var bodies = new HashMap<String, ByteBuffer>();
    var all = new ArrayList<ServedResponse>();
    for (var line : completeLines(Files.readString(file))) {
      all.add(response(JSON.readTree(line), bodies));
    }
    return all;
  }

  private static List<String> completeLines(String text) {
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  private static ServedResponse response(JsonNode line, Map<String, ByteBuffer> bodies) {
    var id = line.path("id").asText();
    if (line.has("body")) {
      bodies.put(id, StandardCharsets.UTF_8.encode(line.path("body").asText()));
    } else if (line.has("body_base64")) {
      bodies.put(id, ByteBuffer.wrap(Base64.getDecoder().decode(line.path("body_base64").asText())));
    }
    return new ServedResponse(id, line.path("url").asText(), line.path("status").asInt(),
        Instant.parse(line.path("filled_at").asText()), Instant.parse(line.path("served_at").asText()),
        bodies.getOrDefault(id, ByteBuffer.allocate(0)).asReadOnlyBuffer());
  }
}
