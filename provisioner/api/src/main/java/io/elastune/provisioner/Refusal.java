package io.elastune.provisioner;

/** Why a cloud will not rent: it decides what to try next and with which code a run ends. */
public enum Refusal {
  /** None of that kind is free at present. */
  CAPACITY,
  /** The account may not have that many. */
  QUOTA,
  /** The account or its credentials may not do that. */
  PERMISSION,
  /** The request itself is wrong. */
  INVALID
}
