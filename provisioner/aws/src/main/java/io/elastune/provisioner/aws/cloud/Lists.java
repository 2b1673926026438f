package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.aws.account.Ec2Instance;
import io.elastune.provisioner.aws.account.InstanceState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Questions what there is of a run. EC2's list lags behind, so that what we know ourselves is
 * added, and "nothing" is believed only when it has been said several times.
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

  /** Answers whoever can be answered, now that EC2 has shown what there is of {@code runs}. */
  void answer(Set<String> runs, List<Ec2Instance> found) {
    for (Question question : List.copyOf(questions)) {
      if (!runs.contains(question.run) || undecided(question.run)) {
        continue;
      }
      List<InstanceInfo> there = there(question.run, found);
      question.empty = there.isEmpty() ? question.empty + 1 : 0;
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

  private List<InstanceInfo> there(String run, List<Ec2Instance> found) {
    Map<String, InstanceInfo> byId = new TreeMap<>();
    found.stream()
        .filter(instance -> instance.run().filter(run::equals).isPresent())
        .filter(instance -> instance.state() != InstanceState.TERMINATED)
        .forEach(instance -> byId.put(instance.id(), info(instance)));
    for (Rental rental : of(run)) {
      rental
          .instance()
          .ifPresent(
              instance -> {
                if (rental.open()) {
                  byId.put(instance.id(), info(instance));
                } else {
                  byId.remove(instance.id()); // said to have ended before: this list is stale
                }
              });
    }
    return List.copyOf(byId.values());
  }

  private static InstanceInfo info(Ec2Instance instance) {
    return new InstanceInfo(instance.id(), instance.lease().orElse(""), instance.state().word());
  }
}
