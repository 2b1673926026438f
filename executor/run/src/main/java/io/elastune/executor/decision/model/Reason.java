package io.elastune.executor.decision.model;

import java.util.List;

/**
 * Why a decision was made, or a run ended. An outcome is its own reason where no other one says
 * more.
 */
public sealed interface Reason permits ReasonCode, RunOutcome {
  /** The name of the reason in the journal. */
  String wireName();

  /** The names of its details: values that its text needs, except numbers of the decision. */
  List<String> details();

  /** The names of the details that follow any number of times, e.g. once per group. */
  List<String> repeated();
}
