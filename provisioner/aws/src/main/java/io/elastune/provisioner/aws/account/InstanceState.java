package io.elastune.provisioner.aws.account;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The states of an EC2 instance, in the only order in which one of ours goes through them. */
public enum InstanceState {
  PENDING,
  RUNNING,
  STOPPING,
  STOPPED,
  SHUTTING_DOWN,
  TERMINATED;

  /** The state by EC2's word for it. */
  public static Optional<InstanceState> of(String word) {
    return Arrays.stream(values()).filter(state -> state.word().equals(word)).findFirst();
  }

  /** EC2's word. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it is, or will be, up. */
  public boolean isUp() {
    return this == PENDING || this == RUNNING;
  }
}
