package io.tidemark.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** The rights that docs/security.md says are needed, as Kafka takes them. */
final class Rights {

  private static final Pattern ROW =
      Pattern.compile("^\\| (reader of \\| )?(topic|group|transactional id) \\| `([^`]+)`( prefixed)? \\| ([A-Za-z, ]+) \\|$");

  private Rights() {}

  /** Those of the program; the reader's stand in a table of their own, after it. */
  static List<AclBinding> ofTidemark(String user) throws IOException {
    return Stream.of(tables()[0].split("\n")).flatMap(row -> bindings(row, user)).toList();
  }

  static List<AclBinding> ofReader(String user) throws IOException {
    return Stream.of(tables()[1].split("\n")).flatMap(row -> bindings(row, user)).toList();
  }

  private static String[] tables() throws IOException {
    return Files.readString(Compose.ROOT.resolve("docs/security.md")).split("Who reads needs less");
  }

  private static Stream<AclBinding> bindings(String row, String user) {
    var match = ROW.matcher(row);
    if (!match.matches()) {
      return Stream.empty();
    }
    var type = ResourceType.fromString(match.group(2).replace(' ', '_').toUpperCase(Locale.ROOT));
    var pattern = new ResourcePattern(
        type, match.group(3), match.group(4) == null ? PatternType.LITERAL : PatternType.PREFIXED);
    return Stream.of(match.group(5).split(", ")).map(name -> new AclBinding(pattern, new AccessControlEntry(
        "User:" + user, "*", AclOperation.fromString(name.replaceAll("(?<=[a-z])(?=[A-Z])", "_")),
        AclPermissionType.ALLOW)));
  }
}
