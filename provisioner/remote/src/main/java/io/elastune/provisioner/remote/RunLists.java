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
 * Questions what there is of a run. "Nothing" is believed only when the cloud has said it several
 * times in a row: no single empty list proves anything. Used in the loop only.
 */
public final class RunLists {
  private static final int TIMES = 3;

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

  /** Somebody asks; {@code answer} is called once the cloud's word can be taken. */
  public void add(String run, Consumer<List<InstanceInfo>> answer) {
    questions.add(new Question(run, answer));
  }

  /** The runs that somebody asks for. */
  public Set<String> runs() {
    return questions.stream().map(question -> question.run).collect(Collectors.toSet());
  }

  /**
   * Answers whoever can be answered, now that the cloud has shown something.
   *
   * @param decided of which runs it has shown what there is, and nothing is under way
   * @param there what there is of a run, by the cloud's word and by ours
   * @param whole whether the cloud has left nothing out
   */
  public void answer(
      Predicate<String> decided, Function<String, List<InstanceInfo>> there, boolean whole) {
    for (Question question : List.copyOf(questions)) {
      if (decided.test(question.run)) {
        answer(question, there.apply(question.run), whole);
      }
    }
  }

  private void answer(Question question, List<InstanceInfo> there, boolean whole) {
    question.empty = there.isEmpty() && whole ? question.empty + 1 : 0;
    if (!there.isEmpty() || question.empty >= TIMES) {
      questions.remove(question);
      question.answer.accept(there);
    }
  }
}
