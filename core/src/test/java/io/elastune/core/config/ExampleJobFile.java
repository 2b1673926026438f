package io.elastune.core.config;

import java.util.List;

/** A valid job file, and methods that replace parts of it. */
final class ExampleJobFile {
  static final String JOB =
      """
      name: resnet-cifar
      deadline: 3h
      budget: {usd: 45, warn_at: 80%, on_reach: stop}
      confidence: 0.95
      search:
        algorithm: sha
        metric: {name: val_acc, goal: maximize}
        trials: 64
        eta: 4
        resource: {unit: epoch, min: 1, max: 64}
        space:
          lr: {type: loguniform, low: 1e-4, high: 1e-1}
          batch: {type: choice, values: [64, 128, 256]}
          momentum: {type: uniform, low: 0.5, high: 0.99}
          layers: {type: int, low: 1, high: 8, log: true}
        seed: 17
      trial:
        workdir: .
        setup: pip install -r requirements.txt
        run: python train.py
        gpus: 1..8
        max_failures: 3
        checkpoint: {store: s3://bucket/prefix, keep: 4, size_gb: 0.5, usd_per_gb_month: 0.023}
        envs: {OMP_NUM_THREADS: "2"}
        secrets: [WANDB_API_KEY]
      resources:
        infra: [aws/us-east-1, gcp/us-central1/us-central1-a]
        instance_types: [g5.12xlarge, g5.xlarge]
        market: spot
        offers: offers.yaml
        max_instances: 12
        max_hourly_usd: 60
        discount: 10%
        controller_usd_per_hour: 0.1
        labels: {team: vision}
      profile: {file: profile.yaml, reuse: 7d, max_usd: 2, max_time: 5m}
      dead_man: 10m
      deadline_miss: stop
      notify: [{webhook: https://example.org/hook, on: [started, finished]}]
      """;

  static final String SMALLEST =
      """
      name: small
      deadline: 90s
      search:
        algorithm: random
        metric: {name: loss, goal: minimize}
        trials: 4
        resource: {unit: step, max: 10}
        space: {x: {type: uniform, low: 0, high: 1}}
      trial: {run: ./train}
      """;

  private ExampleJobFile() {}

  /** Returns the problems of the example with one part replaced. */
  static List<String> problems(String part, String replacement) {
    String text = JOB.replace(part, replacement);
    if (text.equals(JOB)) {
      throw new AssertionError("nothing was replaced: " + part);
    }
    return JobFile.parse("job.yaml", text, Overrides.NONE).problems().stream()
        .map(FileProblem::toString)
        .toList();
  }

  /** Returns the line of a part of the example. */
  static int line(String part) {
    return (int) JOB.substring(0, JOB.indexOf(part)).lines().count()
        + (JOB.indexOf(part) == 0 || JOB.charAt(JOB.indexOf(part) - 1) == '\n' ? 1 : 0);
  }
}
