package io.tidemark.serve.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConditionBudgetTest {

  static final long MILLI = 1_000_000;

  long now;
  final ConditionBudget budget = new ConditionBudget(() -> now);

  @Test
  void client_savesASecond_andEarnsATenthOfTheTimeThatPasses() {
    budget.join("a");

    spend("a", 999);
    assertThat(budget.hasTimeLeft("a")).isTrue();
    spend("a", 2);
    assertThat(budget.hasTimeLeft("a")).isFalse();
    pass(20);
    assertThat(budget.hasTimeLeft("a")).isTrue();
  }

  @Test
  void catchingUp_leavesHalfOfTheBurst() {
    budget.join("a");

    spend("a", 501);

    assertThat(budget.hasReserve("a")).isFalse();
    assertThat(budget.hasTimeLeft("a")).isTrue();
    pass(20);
    assertThat(budget.hasReserve("a")).isTrue();
  }

  @Test
  void spendingClients_shareHalfOfTheTime_idleOnesCostNothing() {
    var spending = IntStream.range(0, 50).mapToObj(Integer::toString).toList();
    spending.forEach(budget::join);
    spending.forEach(each -> spend(each, 1_000));
    IntStream.range(0, 500).forEach(idle -> budget.join("idle " + idle));

    pass(1_000);

    assertThat(spending).allSatisfy(each -> {
      spend(each, 9);
      assertThat(budget.hasTimeLeft(each)).isTrue();
      spend(each, 2);
      assertThat(budget.hasTimeLeft(each)).isFalse();
    });
  }

  @Test
  void clientThatComesBack_hasWhatItLeft() {
    budget.join("a");
    spend("a", 5_000);
    budget.leave("a");
    budget.join("a");

    assertThat(budget.hasTimeLeft("a")).isFalse();
    pass(9_000);
    assertThat(budget.hasTimeLeft("a")).isFalse();
    pass(2_000);
    assertThat(budget.hasTimeLeft("a")).as("a second behind at most").isTrue();
  }

  @Test
  void clientWithoutAnOpenFeed_usesUpItsTimeAsWell() {
    spend("b", 1_001);
    budget.join("c");

    assertThat(budget.hasTimeLeft("b")).isFalse();
    assertThat(budget.hasTimeLeft("c")).isTrue();
  }

  @Test
  void clientThatConnectsAgainAndAgain_isRefusedUntilItHasTimeAgain() {
    for (var i = 0; i < 111; i++) { // a second of burst, and a tenth of the time that they take
      assertThat(compileFor10Millis()).isEqualTo("compiled");
    }

    assertThatThrownBy(this::compileFor10Millis)
        .isInstanceOfSatisfying(FeedRefusal.class, refusal -> {
          assertThat(refusal.status()).isEqualTo(429);
          assertThat(refusal.retryAfter()).isPositive();
          assertThat(refusal).hasMessageContaining("exceeded their time budget");
        });
    pass(200);
    assertThat(compileFor10Millis()).isEqualTo("compiled");
  }

  private String compileFor10Millis() {
    return budget.compile("a", () -> {
      now += 10 * MILLI;
      return "compiled";
    });
  }

  private void spend(String client, long millis) {
    budget.spend(client, millis * MILLI);
  }

  private void pass(long millis) {
    now += millis * MILLI;
  }
}
