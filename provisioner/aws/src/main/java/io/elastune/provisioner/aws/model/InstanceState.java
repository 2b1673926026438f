package io.elastune.provisioner.aws.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The states of an EC2 instance, in the only order that an Elastune instance can follow. */
public enum InstanceState {
  PENDING,
  RUNNING,
  STOPPING,
  STOPPED,
  SHUTTING_DOWN,
  TERMINATED;

  /** Returns the state with this EC2 name. */
  public static Optional<InstanceState> of(String word) {
    return Arrays.stream(values()).filter(state -> state.ec2Name().equals(word)).findFirst();
  }

  /** Returns the EC2 name of the state. */
  public String ec2Name() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether the instance runs or is starting. */
  public boolean isUp() {
    return this == PENDING || this == RUNNING;
  }
}
