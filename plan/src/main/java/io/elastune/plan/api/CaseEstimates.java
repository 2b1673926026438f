package io.elastune.plan.api;

import java.util.List;

/**
 * The answers to the compared cases. They follow from training times that the caller has stated.
 *
 * @param cases one answer for each case
 * @param json the document of {@code elastune estimate --json}
 */
public record CaseEstimates(List<CaseEstimate> cases, String json) {
  public CaseEstimates {
    cases = List.copyOf(cases);
  }
}
