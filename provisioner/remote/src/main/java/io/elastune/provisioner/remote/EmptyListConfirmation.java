package io.elastune.provisioner.remote;

import io.elastune.provisioner.InstanceInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Answers requests for the instances of a run. A single empty list is never taken as proof: an
 * empty answer needs several empty lists in a row. Used in the event loop only.
 */
final class EmptyListConfirmation {
  private static final int TIMES = 3;

  private final List<ListRequest> requests = new ArrayList<>();

  private static final class ListRequest {
    private final String run;
    private final Consumer<List<InstanceInfo>> answer;
    private int empty;

    ListRequest(String run, Consumer<List<InstanceInfo>> answer) {
      this.run = run;
      this.answer = answer;
    }
  }

  /** Adds a request; {@code answer} is called once the list is reliable. */
  void addRequest(String run, Consumer<List<InstanceInfo>> answer) {
    requests.add(new ListRequest(run, answer));
  }

  /** Returns the runs with open requests. */
  Set<String> runs() {
    return requests.stream().map(request -> request.run).collect(Collectors.toSet());
  }

  /**
   * Answers the requests that can be answered, after the cloud has returned a list.
   *
   * @param decided whether the list covers a run, and none of the run's launches is pending
   * @param there the instances of a run, from the list and from this process's own records
   * @param whole whether the list is complete
   */
  void answer(
      Predicate<String> decided, Function<String, List<InstanceInfo>> there, boolean whole) {
    for (ListRequest request : List.copyOf(requests)) {
      if (decided.test(request.run)) {
        answer(request, there.apply(request.run), whole);
      }
    }
  }

  private void answer(ListRequest request, List<InstanceInfo> there, boolean whole) {
    request.empty = there.isEmpty() && whole ? request.empty + 1 : 0;
    if (!there.isEmpty() || request.empty >= TIMES) {
      requests.remove(request);
      request.answer.accept(there);
    }
  }
}
