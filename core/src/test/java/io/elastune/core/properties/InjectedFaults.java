package io.elastune.core.properties;

/** Fails one task of many, and counts them. Usable on every thread. */
public final class InjectedFaults implements Runnable {
  /** How the task fails. */
  public enum Kind {
    EXCEPTION,
    ERROR;

    /** Returns one kind after the other. */
    public static Kind of(int task) {
      return task % 2 == 0 ? EXCEPTION : ERROR;
    }
  }

  private int tasks;
  private int failing;
  private Kind kind = Kind.EXCEPTION;
  private int injected;

  /** Lets a task fail, counted from 1 from now on; 0 for none. */
  public synchronized void failAt(int task, Kind how) {
    tasks = 0;
    failing = task;
    kind = how;
  }

  /** Returns how many tasks were counted since the last {@link #failAt}. */
  public synchronized int tasks() {
    return tasks;
  }

  /** Returns how many tasks have failed. */
  public synchronized int injected() {
    return injected;
  }

  @Override
  public synchronized void run() {
    tasks++;
    if (tasks != failing) {
      return;
    }
    injected++;
    if (kind == Kind.ERROR) {
      throw new LinkageError("injected error in task " + tasks);
    }
    throw new IllegalStateException("injected exception in task " + tasks);
  }
}
