package io.tidemark.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.app.CommandFailure;
import io.tidemark.rule.RuleSet;
import org.junit.jupiter.api.Test;

/** Tests how a command ends after its wait. */
class WatchTopicClientTest {

  @Test
  void commandThatIsNotAppliedWithinTheWait_isAProblem() {
    assertThatExceptionOfType(CommandFailure.class).isThrownBy(() -> WatchTopicClient.applied(null))
        .withMessageStartingWith("requested, but not applied yet")
        .returns(CommandFailure.PROBLEM_FOUND, CommandFailure::exitCode);
    assertThat(WatchTopicClient.applied(RuleSet.EMPTY)).isSameAs(RuleSet.EMPTY);
  }

  @Test
  void rulesOfTheConfiguration_areUnknownWithoutOne() {
    assertThat(new WatchTopicClient().configuredRules()).isNull();
  }
}
