package io.elastune.planner.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BisectionTest {
  @Test
  void findsTheFirstNumberFromEveryGuess() {
    for (int size = 0; size <= 20; size++) {
      for (int first = 0; first <= size; first++) {
        int from = first;
        assertThat(Bisection.first(0, size, i -> i >= from)).isEqualTo(first);
        for (int guess = 0; guess <= size; guess++) {
          assertThat(Bisection.firstNear(guess, size, i -> i >= from))
              .as("first %d of %d, guess %d", first, size, guess)
              .isEqualTo(first);
        }
      }
    }
  }
}
