package io.elastune.executor.world;

import io.elastune.provisioner.LeaseRequest;

/** How long instances take to come, where nothing goes wrong. */
public interface Waits {
  /** As the offer's spreads say, drawn for each lease by its name. */
  static Waits drawn(Chance chance) {
    return new Waits() {
      @Override
      public double queueS(LeaseRequest request) {
        return chance.at(request.lease()).at("queue").of(request.offer().queueS());
      }

      @Override
      public double bootS(LeaseRequest request) {
        return chance.at(request.lease()).at("boot").of(request.offer().bootS());
      }
    };
  }

  /** Seconds from the request to running, from when on it is billed. Asked once. */
  double queueS(LeaseRequest request);

  /** Seconds from running to ready. Asked once. */
  double bootS(LeaseRequest request);
}
