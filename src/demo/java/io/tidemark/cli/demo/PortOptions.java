package io.tidemark.cli.demo;

import io.tidemark.app.CommandFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.SequencedMap;

/** The ports that options of a command name, with their addresses. All are checked together before anything starts. */
record PortOptions(SequencedMap<String, BindAddress> byOption) {

  private static final int HIGHEST = 65_535;

  /**
   * An address and a port to listen on.
   *
   * @param port 0 for any free port
   */
  record BindAddress(InetAddress address, int port) {}

  /** Throws {@link IllegalArgumentException} if a value is not a port. */
  PortOptions {
    byOption.forEach((option, listen) -> {
      if (listen.port < 0 || listen.port > HIGHEST) {
        throw new IllegalArgumentException(option + ": must be 0 (any free port) to 65535, got " + listen.port);
      }
    });
  }

  /**
   * Throws a {@link CommandFailure} with one line for each port that is taken or that two options name, even with
   * different addresses.
   */
  void requireFree() {
    var problems = new ArrayList<String>();
    var options = new HashMap<Integer, String>();
    byOption.forEach((option, listen) -> {
      var other = options.putIfAbsent(listen.port, option);
      if (listen.port != 0 && other != null) {
        problems.add(option + " and " + other + " are both " + listen.port + "; choose two ports");
      } else if (listen.port != 0 && isTaken(listen)) {
        problems.add(option + ": port " + listen.port + " is taken; stop what listens on "
            + listen.address.getHostAddress() + ":" + listen.port + ", or choose another with " + option
            + " (0 takes any free one)");
      }
    });
    if (!problems.isEmpty()) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, String.join("\n", problems));
    }
  }

  private static boolean isTaken(BindAddress listen) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(listen.address, listen.port));
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
