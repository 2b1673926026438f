package io.elastune.core.buildreport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes wall and processor time of each test class to the file that the system property {@code
 * elastune.times} names: a line of class, wall milliseconds and processor milliseconds, separated
 * by tabs. Processor time includes that of the processes that the tests start.
 *
 * <p>{@link RunningClasses} explains classes that run at the same time in one JVM.
 */
public final class ClassTimes implements TestExecutionListener {
  private static final String FILE = System.getProperty("elastune.times", "");

  /** One in each JVM: Surefire creates a listener for each class that runs there. */
  private static final RunningClasses CLASSES = new RunningClasses();

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    if (!FILE.isEmpty()) {
      CLASSES.readAtIntervals();
    }
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (isTopLevelClass(test)) {
      CLASSES.start(test.getUniqueId());
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (isTopLevelClass(test)) {
      write(CLASSES.end(test.getUniqueId(), className(test).orElseThrow()));
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (!FILE.isEmpty()) {
      write(CLASSES.ofNoClass());
    }
  }

  private static boolean isTopLevelClass(TestIdentifier test) {
    return !FILE.isEmpty()
        && className(test).isPresent()
        && test.getUniqueIdObject().getSegments().size() == 2;
  }

  private static Optional<String> className(TestIdentifier test) {
    return test.getSource()
        .filter(ClassSource.class::isInstance)
        .map(source -> ((ClassSource) source).getClassName());
  }

  private static void write(String line) {
    Path file = Path.of(FILE);
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new UncheckedIOException("Times of tests cannot be written to " + file, failure);
    }
  }
}
