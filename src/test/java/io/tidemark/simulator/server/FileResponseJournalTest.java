package io.tidemark.simulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulator.server.ResponseJournal.ServedResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileResponseJournalTest {
  private static final Instant FILLED = Instant.parse("2026-01-01T00:00:00.123Z");
  private static final ServedResponse FIRST = served("a", "{\"x\":\"line\\nbreak\"}".getBytes(StandardCharsets.UTF_8));
  private static final ServedResponse NO_TEXT = served("b", new byte[] {(byte) 0xff, 0, 1});

  @TempDir
  private Path folder;

  @Test
  void servings_areReadBackWhole_inOrder() throws IOException {
    write(FIRST, NO_TEXT, FIRST);

    assertThat(ResponseJournalFile.read(file())).containsExactly(FIRST, NO_TEXT, FIRST);
  }

  @Test
  void bodyServedAgain_isWrittenOnce() throws IOException {
    write(FIRST, FIRST);

    assertThat(Files.readAllLines(file())).hasSize(2).satisfiesExactly(
        line -> assertThat(line).contains("\"body\""), line -> assertThat(line).doesNotContain("\"body\""));
  }

  @Test
  void secondRun_appends() throws IOException {
    write(FIRST);
    write(NO_TEXT);

    assertThat(ResponseJournalFile.read(file())).containsExactly(FIRST, NO_TEXT);
  }

  @Test
  void lineThatIsStillBeingWritten_isLeftOut() throws IOException {
    write(FIRST);
    Files.writeString(file(), "{\"id\":\"c\",\"ur", StandardOpenOption.APPEND);

    assertThat(ResponseJournalFile.read(file())).containsExactly(FIRST);
  }

  private void write(ServedResponse... all) throws IOException {
    try (var journal = new FileResponseJournal(file())) {
      for (var served : all) {
        journal.append(served);
      }
    }
  }

  private Path file() {
    return folder.resolve("journal.ndjson");
  }

  private static ServedResponse served(String id, byte[] body) {
    return new ServedResponse(id, "/api/v3/global", 200, FILLED, FILLED.plusSeconds(1), ByteBuffer.wrap(body));
  }
}
