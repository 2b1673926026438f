package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.Listing;
import io.elastune.provisioner.gcp.account.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Questions what there is of a run. What we know ourselves is added to Google's list, and "nothing"
 * is believed only when every zone has answered, several times.
 */
final class Lists {
  private static final int TIMES = 3;

  private final Map<String, Rental> rentals;
  private final List<Question> questions = new ArrayList<>();

  private static final class Question {
    private final String run;
    private final Consumer<List<InstanceInfo>> answer;
    private int empty;

    Question(String run, Consumer<List<InstanceInfo>> answer) {
      this.run = run;
      this.answer = answer;
    }
  }

  Lists(Map<String, Rental> rentals) {
    this.rentals = rentals;
  }

  void add(String run, Consumer<List<InstanceInfo>> answer) {
    questions.add(new Question(run, answer));
  }

  /** The runs that somebody asks for. */
  Set<String> runs() {
    return questions.stream().map(question -> question.run).collect(Collectors.toSet());
  }

  /** Answers whoever can be answered, now that Google has shown what there is of {@code runs}. */
  void answer(Set<String> runs, Listing found) {
    for (Question question : List.copyOf(questions)) {
      if (!runs.contains(question.run) || undecided(question.run)) {
        continue;
      }
      List<InstanceInfo> there = there(question.run, found.instances());
      boolean nothing = there.isEmpty() && found.silent().isEmpty();
      question.empty = nothing ? question.empty + 1 : 0;
      if (!there.isEmpty() || question.empty >= TIMES) {
        questions.remove(question);
        question.answer.accept(there);
      }
    }
  }

  private boolean undecided(String run) {
    return of(run).stream().anyMatch(Rental::undecided);
  }

  private List<Rental> of(String run) {
    return rentals.values().stream()
        .filter(rental -> rental.run().filter(run::equals).isPresent())
        .toList();
  }

  private List<InstanceInfo> there(String run, List<GceInstance> found) {
    Map<String, InstanceInfo> byPath = new TreeMap<>();
    found.stream()
        .filter(instance -> Names.label(run).equals(instance.labels().get(Tags.RUN)))
        .forEach(instance -> byPath.put(instance.path(), info(instance)));
    for (Rental rental : of(run)) {
      rental
          .zone()
          .ifPresent(
              zone -> {
                String path = zone + "/" + rental.name();
                if (!rental.open()) {
                  byPath.remove(path); // said to be no more before: this list is stale
                } else if (rental.instance().isPresent() || rental.in(Rental.Phase.COMING)) {
                  byPath.putIfAbsent(path, info(rental, path));
                }
              });
    }
    return List.copyOf(byPath.values());
  }

  private static InstanceInfo info(Rental rental, String path) {
    return new InstanceInfo(
        path, rental.lease(), rental.instance().map(GceInstance::status).orElse("PROVISIONING"));
  }

  private static InstanceInfo info(GceInstance instance) {
    return new InstanceInfo(
        instance.path(), instance.tag(Tags.LEASE).orElse(""), instance.status());
  }
}
