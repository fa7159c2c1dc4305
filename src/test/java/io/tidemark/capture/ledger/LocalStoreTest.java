package io.tidemark.capture.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreTest {

  static final byte[] KEY = "key".getBytes(UTF_8);

  @TempDir
  Path parent;

  @Test
  void folderOfAKilledProcess_isDeleted() throws IOException {
    var killed = abandoned(parent.resolve("known-1"));

    LocalStore.create(parent).close();

    assertThat(killed).doesNotExist();
  }

  @Test
  void folderOfAKilledProcess_isDeletedInTheTemporaryFolder() throws IOException {
    var killed = abandoned(Files.createTempDirectory("tidemark-known-"));

    LocalStore.create(null).close();

    assertThat(killed).doesNotExist();
  }

  @Test
  void folderInUse_stays() {
    try (var first = LocalStore.create(parent); var batch = first.batch()) {
      batch.put(KEY, KEY);
      batch.write();

      LocalStore.create(parent).close();

      assertThat(parent).isDirectoryContaining(folder -> Files.exists(folder.resolve("CURRENT")));
      assertThat(first.get(KEY)).isEqualTo(KEY);
    }
  }

  @Test
  void folderThatIsNotLockedYet_stays() throws IOException {
    var created = Files.createDirectory(parent.resolve("known-1"));

    LocalStore.create(parent).close();

    assertThat(created).exists();
  }

  @Test
  void linkToAStore_isNotFollowed(@TempDir Path elsewhere) throws IOException {
    var other = abandoned(elsewhere.resolve("other"));
    Files.createSymbolicLink(parent.resolve("known-1"), other);

    LocalStore.create(parent).close();

    assertThat(other.resolve("CURRENT")).exists();
  }

  /** As on a full disk: the path of the store is allowed, but the paths of its files are too long. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void storeThatCannotBeOpened_leavesNoFolder() throws IOException {
    var deep = parent;
    while (deep.toString().length() < 3_900) {
      deep = deep.resolve("x".repeat(100));
    }
    var folder = Files.createDirectories(deep.resolve("x".repeat(4_060 - 1 - deep.toString().length())));

    assertThatThrownBy(() -> LocalStore.create(folder)).isInstanceOf(LedgerFailure.class);

    assertThat(folder).isEmptyDirectory();
  }

  /** Creates the files that a killed process leaves. */
  private static Path abandoned(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("LOCK"), "");
    Files.writeString(folder.resolve("000007.sst"), "data");
    Files.writeString(folder.resolve("CURRENT"), "MANIFEST-000005\n");
    return folder;
  }
}
