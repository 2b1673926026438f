package io.elastune.provisioner.aws.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.aws.fake.FakePolicy;
import io.elastune.provisioner.aws.fake.FakePolicy.Access;
import java.util.Collection;

/** Checks that no element of a policy can be removed without an effect. */
public final class PolicyEffects {
  private PolicyEffects() {}

  /**
   * Fails if the policy denies a required access or allows a forbidden one, if an action, a
   * resource or a value of a condition is not required, or if a condition forbids nothing.
   */
  public static void assertEachIsRequired(
      FakePolicy policy, Collection<Access> required, Collection<Access> forbidden) {
    assertThat(required).as("required").isNotEmpty().allMatch(policy::allows);
    assertThat(forbidden).as("forbidden").noneMatch(policy::allows);
    assertThat(policy.narrower()).isNotEmpty();
    policy
        .narrower()
        .forEach(
            (missing, narrower) ->
                assertThat(required)
                    .as("required accesses without %s", missing)
                    .anyMatch(access -> !narrower.allows(access)));
    policy
        .wider()
        .forEach(
            (missing, wider) ->
                assertThat(forbidden)
                    .as("forbidden accesses without the condition %s", missing)
                    .anyMatch(wider::allows));
  }
}
