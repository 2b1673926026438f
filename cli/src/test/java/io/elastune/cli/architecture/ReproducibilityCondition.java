package io.elastune.cli.architecture;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/** Matches classes that read a clock or draw unseeded random numbers, so are not reproducible. */
final class ReproducibilityCondition extends ArchCondition<JavaClass> {

  private static final Set<String> TIME_METHODS =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.Thread.sleep",
          "java.time.InstantSource.system",
          "java.util.Calendar.getInstance",
          "java.util.concurrent.TimeUnit.sleep",
          "java.util.concurrent.locks.LockSupport.parkNanos",
          "java.util.concurrent.locks.LockSupport.parkUntil");

  private static final Set<String> RANDOM_METHODS =
      Set.of(
          "java.lang.Math.random",
          "java.lang.StrictMath.random",
          "java.util.UUID.randomUUID",
          "java.util.random.RandomGenerator.getDefault",
          "java.util.random.RandomGenerator.of");

  private static final Set<String> RANDOM_CLASSES =
      Set.of("java.util.Random", "java.util.concurrent.ThreadLocalRandom");

  private static final Set<String> THREAD_CLASSES =
      Set.of(
          "java.lang.Thread",
          "java.util.Timer",
          "java.util.concurrent.ForkJoinPool",
          "java.util.concurrent.ThreadPoolExecutor");

  private final Predicate<CodeUnitAccessTarget> forbidden;

  private ReproducibilityCondition(String what, Predicate<CodeUnitAccessTarget> forbidden) {
    super(what);
    this.forbidden = forbidden;
  }

  /** Matches classes that read a system clock or sleep. */
  static ReproducibilityCondition readsClock() {
    return new ReproducibilityCondition(
        "read the clock or sleep", ReproducibilityCondition::isTime);
  }

  /** Matches classes that create or use an unseeded random number generator. */
  static ReproducibilityCondition drawsUnseeded() {
    return new ReproducibilityCondition(
        "draw from a generator of their own", ReproducibilityCondition::isUnseeded);
  }

  /** Matches classes that start threads, or tasks on threads of which they have no control. */
  static ReproducibilityCondition startsThreads() {
    return new ReproducibilityCondition(
        "start threads, whose failures have no owner", ReproducibilityCondition::isThread);
  }

  private static boolean isThread(CodeUnitAccessTarget target) {
    String owner = target.getOwner().getName();
    boolean isCreated = target.getName().equals("<init>");
    boolean hasExecutor =
        target.getRawParameterTypes().stream()
            .anyMatch(type -> type.isEquivalentTo(Executor.class));
    return (isCreated && THREAD_CLASSES.contains(owner))
        || owner.equals("java.util.concurrent.Executors")
        || target.getName().equals("parallelStream")
        || (owner.startsWith("java.util.concurrent.Complet")
            && target.getName().endsWith("Async")
            && !hasExecutor);
  }

  private static boolean isTime(CodeUnitAccessTarget target) {
    String owner = target.getOwner().getName();
    String name = target.getName();
    boolean fromClock =
        target.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Clock.class));
    return TIME_METHODS.contains(owner + "." + name)
        || (owner.startsWith("java.time.") && name.equals("now") && !fromClock)
        || (owner.equals("java.time.Clock") && name.startsWith("system"))
        || (owner.equals("java.time.Clock") && name.startsWith("tick") && !fromClock)
        || (owner.equals("java.util.Date")
            && name.equals("<init>")
            && target.getRawParameterTypes().isEmpty());
  }

  private static boolean isUnseeded(CodeUnitAccessTarget target) {
    String owner = target.getOwner().getName();
    boolean seeded = !target.getRawParameterTypes().isEmpty();
    return RANDOM_METHODS.contains(owner + "." + target.getName())
        || RANDOM_CLASSES.contains(owner)
        || (owner.equals("java.util.SplittableRandom")
            && target.getName().equals("<init>")
            && !seeded)
        || (owner.equals("java.util.random.RandomGeneratorFactory")
            && target.getName().equals("create")
            && !seeded)
        || target.getFullName().equals("java.util.Collections.shuffle(java.util.List)");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    for (JavaAccess<?> access : type.getAccessesFromSelf()) {
      AccessTarget target = access.getTarget();
      if (target instanceof CodeUnitAccessTarget code && forbidden.test(code)) {
        events.add(SimpleConditionEvent.satisfied(access, access.getDescription()));
      }
    }
  }
}
