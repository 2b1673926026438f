package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.journal.AttemptRow;
import java.util.Comparator;
import java.util.List;

/** The GPUs of a trial that runs on a cluster that a policy divides. */
record TrialWidth(
    @JsonPropertyDescription("Its number.") int trial,
    @JsonPropertyDescription("Its GPUs.") int gpus,
    @JsonPropertyDescription("Trials that run on each of them now, including this one.")
        int trialsPerGpu) {
  /** Returns the widths of all attempts that have not ended, by trial. */
  static List<TrialWidth> of(List<AttemptRow> running) {
    return running.stream()
        .map(row -> new TrialWidth(row.trial(), row.places().size(), sharing(row, running)))
        .sorted(Comparator.comparingInt(TrialWidth::trial))
        .toList();
  }

  private static int sharing(AttemptRow row, List<AttemptRow> running) {
    GpuSlot first = row.places().get(0);
    return (int) running.stream().filter(other -> other.places().contains(first)).count();
  }

  /** Returns the number of GPUs, for example {@code 3} or {@code 1/2}. */
  String width() {
    return trialsPerGpu > 1 ? gpus + "/" + trialsPerGpu : Integer.toString(gpus);
  }
}
