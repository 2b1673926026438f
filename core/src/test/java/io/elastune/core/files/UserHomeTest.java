package io.elastune.core.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class UserHomeTest {
  @Test
  void variableHasPrecedenceOverTheAccount() {
    assertThat(UserHome.of(Optional.of("/home/ana"))).hasValue("/home/ana");
  }

  /** Java names the home of a user without an account so: a folder of this name was created. */
  @Test
  void questionMarkIsNoHome() {
    assertThat(UserHome.of(Optional.of("?"))).isEmpty();
  }

  @Test
  void withoutVariableTheAccountCounts() {
    assertThat(UserHome.of(Optional.empty())).hasValue(System.getProperty("user.home"));
    assertThat(UserHome.of(Optional.of(""))).hasValue(System.getProperty("user.home"));
  }
}
