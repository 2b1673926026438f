package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.InstanceInfo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmptyListConfirmationTest {
  private static final List<InstanceInfo> ONE = List.of(new InstanceInfo("i-1", "r-1", "running"));

  private final EmptyListConfirmation lists = new EmptyListConfirmation();
  private final List<List<InstanceInfo>> answers = new ArrayList<>();

  @Test
  void answersNonEmptyListOnce() {
    lists.addRequest("r", answers::add);
    assertThat(lists.runs()).containsExactly("r");
    show(ONE, true);
    show(ONE, true);
    assertThat(answers).containsExactly(ONE);
    assertThat(lists.runs()).isEmpty();
  }

  @Test
  void emptyAnswerNeedsThreeCompleteLists() {
    lists.addRequest("r", answers::add);
    show(List.of(), true);
    show(List.of(), true);
    show(List.of(), false); // incomplete list: the count restarts
    show(List.of(), true);
    show(List.of(), true);
    assertThat(answers).isEmpty();
    show(List.of(), true);
    assertThat(answers).containsExactly(List.of());
  }

  @Test
  void waitsForPendingLaunches() {
    lists.addRequest("r", answers::add);
    lists.answer(run -> false, run -> ONE, true);
    assertThat(answers).isEmpty();
  }

  private void show(List<InstanceInfo> there, boolean whole) {
    lists.answer(run -> true, run -> there, whole);
  }
}
