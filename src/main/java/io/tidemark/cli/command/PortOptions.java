package io.tidemark.cli.command;

import io.tidemark.cli.wiring.CommandFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.SequencedMap;

/** The ports of options, checked together before anything starts. */
record PortOptions(SequencedMap<String, Integer> byOption) {

  private static final int HIGHEST = 65_535;

  /** Throws {@link IllegalArgumentException} for a value that is no port. */
  PortOptions {
    byOption.forEach((option, port) -> {
      if (port < 0 || port > HIGHEST) {
        throw new IllegalArgumentException(option + ": must be 0 (any free one) to 65535, is " + port);
      }
    });
  }

  /** Throws with one line for each port that cannot be used: it is taken, or two options name it. */
  void requireFree() {
    var problems = new ArrayList<String>();
    var options = new HashMap<Integer, String>();
    for (var each : byOption.entrySet()) {
      var other = options.putIfAbsent(each.getValue(), each.getKey());
      if (each.getValue() != 0 && other != null) {
        problems.add(each.getKey() + " and " + other + " are both " + each.getValue() + "; choose two ports");
      } else if (each.getValue() != 0 && isTaken(each.getValue())) {
        problems.add(each.getKey() + ": port " + each.getValue() + " is taken; stop what listens on 127.0.0.1:"
            + each.getValue() + ", or choose another with " + each.getKey() + " (0 takes any free one)");
      }
    }
    if (!problems.isEmpty()) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, String.join("\n", problems));
    }
  }

  private static boolean isTaken(int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
