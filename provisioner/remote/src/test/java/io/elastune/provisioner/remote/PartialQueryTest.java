package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartialQueryTest {
  private final PartialQuery query = new PartialQuery();

  @Test
  void notesNameThePartTheReasonAndTheReplacement() {
    assertThat(query.query("Prices", "old ones are used", () -> 3)).hasValue(3);
    assertThat(query.notes()).isEmpty();
    assertThat(query.isAnswered()).isTrue();
    assertThat(fail(new CloudFailure.Throttled("too many calls"))).isEmpty();
    assertThat(query.notes())
        .containsExactly("Quotas are unavailable: too many calls; plans ignore them");
  }

  private Optional<Integer> fail(CloudFailure failure) {
    return query.query(
        "Quotas",
        "plans ignore them",
        () -> {
          throw new CloudException(failure);
        });
  }

  @Test
  void missingPermissionIsTheReasonOfTheWhole() {
    fail(new CloudFailure.UnknownOutcome("a timeout"));
    fail(new CloudFailure.Permission("denied"));
    assertThat(query.isAnswered()).isFalse();
    assertThat(query.failure().orElseThrow().failure().message()).isEqualTo("denied");
    query.replaceNotes("Offers", "the table is used");
    assertThat(query.notes()).containsExactly("Offers are unavailable: denied; the table is used");
  }
}
