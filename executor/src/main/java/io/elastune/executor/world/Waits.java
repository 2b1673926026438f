package io.elastune.executor.world;

import io.elastune.provisioner.LeaseRequest;

/** Supplies the queueing and boot times of simulated instances without faults. */
public interface Waits {
  /** Returns times drawn for each lease from the spreads of its offer. */
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

  /**
   * Returns the seconds from the request to the running state, in which billing starts. Called once
   * per lease.
   */
  double queueS(LeaseRequest request);

  /** Returns the seconds from running to ready. Called once per lease. */
  double bootS(LeaseRequest request);
}
