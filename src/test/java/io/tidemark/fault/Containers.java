package io.tidemark.fault;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Containers in a network of their own, each with a fixed address, by which a proxy on this machine knows it. */
public final class Containers implements AutoCloseable {

  private static final int ATTEMPTS = 10;

  private final String name = "tidemark-" + UUID.randomUUID().toString().substring(0, 8);
  private final String subnet = network();
  private final List<String> started = new ArrayList<>();

  /** Returns whether containers can run here, and this machine can reach their addresses. */
  public static boolean canRun() {
    try {
      return System.getProperty("os.name").equals("Linux")
          && new ProcessBuilder("docker", "info").redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Creates the network in a range that no other network has, and returns the first three parts of its addresses. */
  private String network() {
    for (int attempt = 0;; attempt++) {
      var random = ThreadLocalRandom.current();
      var range = "10.%d.%d".formatted(random.nextInt(64, 250), random.nextInt(250));
      try {
        docker("network", "create", "--subnet", range + ".0/24", "--gateway", range + ".1", name);
        return range;
      } catch (AssertionError e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Returns the address of this machine in the network. */
  public InetAddress host() {
    return address(1);
  }

  /** Returns an address in the network by its last part. */
  public InetAddress address(int last) {
    try {
      return InetAddress.getByName(subnet + "." + last);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Runs a container.
   *
   * @param container its name here, and its host name
   * @param command the image, and the arguments in it
   */
  public void run(String container, InetAddress address, List<String> options, List<String> command) {
    started.add(container);
    docker(Stream.of(Stream.of("run", "-d", "--name", full(container), "--hostname", container, "--network", name,
        "--ip", address.getHostAddress()), options.stream(), command.stream()).flatMap(part -> part)
        .toArray(String[]::new));
  }

  /** Starts those of these containers that do not run. */
  public void start(String... containers) {
    onAll(List.of("start"), containers);
  }

  /** Stops containers in order. */
  public void stop(String... containers) {
    onAll(List.of("stop", "-t", "60"), containers);
  }

  /** Sends a signal, such as KILL, to the first process of each of these containers. */
  public void signal(String signal, String... containers) {
    onAll(List.of("kill", "-s", signal), containers);
  }

  private void onAll(List<String> command, String... containers) {
    docker(Stream.concat(command.stream(), Stream.of(containers).map(this::full)).toArray(String[]::new));
  }

  public boolean isRunning(String container) {
    return docker("inspect", "-f", "{{.State.Running}}", full(container)).strip().equals("true");
  }

  public String log(String container) {
    return docker("logs", full(container));
  }

  /** Copies those files of a container's folder that have this ending, with their folders. */
  public void copy(String container, String folder, String ending, Path to) throws IOException {
    Files.createDirectories(to);
    execute("sh", "-c", "docker exec %s sh -c 'cd %s && tar -cf - */*%s' | tar -xf - -C %s"
        .formatted(full(container), folder, ending, to));
  }

  /**
   * Returns the options and the command that run a main class on the class path of this process. The jars are copied to
   * a folder, because a container cannot see them where they are.
   */
  public static List<String> java(Path jars, String image, List<String> javaOptions, String main)
      throws IOException {
    var paths = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)).map(Path::of).toList();
    var mounts = new ArrayList<String>();
    var classPath = new ArrayList<String>();
    Files.createDirectories(jars);
    for (int i : IntStream.range(0, paths.size()).toArray()) {
      var inside = (Files.isDirectory(paths.get(i)) ? "/classes/" : "/jars/") + i;
      if (Files.isDirectory(paths.get(i))) {
        mounts.addAll(List.of("-v", paths.get(i).toAbsolutePath() + ":" + inside + ":ro"));
      } else if (Files.exists(paths.get(i)) && Files.notExists(jars.resolve(i + ".jar"))) {
        Files.copy(paths.get(i), jars.resolve(i + ".jar"));
      }
      classPath.add(Files.isDirectory(paths.get(i)) ? inside : inside + ".jar");
    }
    mounts.addAll(List.of("-v", jars.toAbsolutePath() + ":/jars:ro", image, "java"));
    mounts.addAll(javaOptions);
    mounts.addAll(List.of("-cp", String.join(":", classPath), main));
    return mounts;
  }

  private String full(String container) {
    return name + "-" + container;
  }

  private static String docker(String... command) {
    return execute(Stream.concat(Stream.of("docker"), Stream.of(command)).toArray(String[]::new));
  }

  private static String execute(String... command) {
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(String.join(" ", command) + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    started.forEach(container -> docker("rm", "-f", "-v", full(container)));
    docker("network", "rm", name);
  }
}
