package io.tidemark.cli.demo;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.tidemark.app.CommandFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;

/** The folder of a demo's data, claimed for this process so that a second demo stops before it touches anything. */
final class DataFolder implements AutoCloseable {

  private final Path folder;
  private final FileChannel lock;

  private DataFolder(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /** Creates the folder if it is missing, and claims it until this object is closed or the process ends. */
  static DataFolder claim(Path folder) {
    try {
      Files.createDirectories(folder);
      var channel = FileChannel.open(folder.resolve("lock"), CREATE, WRITE);
      if (isLocked(channel)) {
        return new DataFolder(folder, channel);
      }
      channel.close();
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "--data: another demo uses " + folder + "; stop it, or choose another folder with --data");
    } catch (IOException e) {
      throw cannotWrite(folder, e);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) { // claimed by another demo in this process
      return false;
    }
  }

  /**
   * Returns the text of a file in the folder. If the file is missing or empty, as after a full disk, it is first
   * written with the text that {@code first} returns. This method never changes any other file. White space around the
   * text is removed.
   */
  String remembered(String name, Supplier<String> first) {
    var file = folder.resolve(name);
    try {
      if (Files.notExists(file) || Files.size(file) == 0) {
        Files.writeString(file, first.get());
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw cannotWrite(folder, e);
    }
  }

  /**
   * Writes a text to a file in the folder, which only the user of the process may read if the file system has POSIX
   * permissions. A file of an earlier start is overwritten.
   */
  void write(String name, String text) {
    var file = folder.resolve(name);
    try {
      if (Files.notExists(file)) {
        Files.createFile(file);
      }
      if (Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
      Files.writeString(file, text);
    } catch (IOException e) {
      throw cannotWrite(folder, e);
    }
  }

  private static CommandFailure cannotWrite(Path folder, IOException e) {
    return new CommandFailure(CommandFailure.PROBLEM_FOUND,
        "--data: cannot write to " + folder + " (" + e.getMessage() + "); choose another folder with --data");
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw cannotWrite(folder, e);
    }
  }
}
