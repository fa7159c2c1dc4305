package io.tidemark.kafka.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** The rights that docs/running/security.md says are needed, as Kafka takes them. */
public final class DocumentedAcls {

  private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "docs/running/security.md");
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| (reader of \\| )?(topic|group|transactional id) \\| `([^`]+)`( prefixed)? \\| ([A-Za-z, ]+) \\|$");

  private DocumentedAcls() {}

  /** Those of the program over a source's prefix; the reader's stand in a table of their own, after it. */
  public static List<AclBinding> ofTidemark(String user, String prefix) {
    return bindings(0, user, prefix);
  }

  public static List<AclBinding> ofReader(String user, String prefix) {
    return bindings(1, user, prefix);
  }

  /** The rights that no request needed, or that other rights grant too. */
  public static List<AclBinding> spare(List<AclBinding> rights, List<AuthorizationRequest> requests) {
    return rights.stream()
        .filter(right -> requests.stream()
            .filter(each -> each.operation() == right.entry().operation() && allows(right, each))
            .allMatch(each -> rights.stream().anyMatch(other -> !other.equals(right) && allows(other, each))))
        .toList();
  }

  private static boolean allows(AclBinding right, AuthorizationRequest request) {
    var pattern = right.pattern();
    var name = pattern.patternType() == PatternType.PREFIXED
        ? request.name().startsWith(pattern.name())
        : request.name().equals(pattern.name());
    return name && pattern.resourceType() == request.type() && implies(right.entry().operation(), request.operation());
  }

  /** As Kafka has it. */
  private static boolean implies(AclOperation granted, AclOperation request) {
    return granted == request || switch (request) {
      case DESCRIBE -> Set.of(AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE, AclOperation.ALTER)
          .contains(granted);
      case DESCRIBE_CONFIGS -> granted == AclOperation.ALTER_CONFIGS;
      default -> false;
    };
  }

  private static List<AclBinding> bindings(int table, String user, String prefix) {
    try {
      var tables = Files.readString(PAGE).split("## ACLs of readers");
      return Stream.of(tables[table].split("\n"))
          .map(row -> row.replace("`tidemark.`", "`" + prefix + "`"))
          .flatMap(row -> bindings(row, user))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
