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
import java.util.function.Predicate;

/** What a class reads that the same seed would not give again. */
final class Reads extends ArchCondition<JavaClass> {

  private static final Set<String> TIME =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.Thread.sleep",
          "java.time.InstantSource.system",
          "java.util.Calendar.getInstance",
          "java.util.concurrent.TimeUnit.sleep",
          "java.util.concurrent.locks.LockSupport.parkNanos",
          "java.util.concurrent.locks.LockSupport.parkUntil");

  private static final Set<String> CHANCE =
      Set.of(
          "java.lang.Math.random",
          "java.lang.StrictMath.random",
          "java.util.UUID.randomUUID",
          "java.util.random.RandomGenerator.getDefault",
          "java.util.random.RandomGenerator.of");

  private static final Set<String> RANDOM_CLASSES =
      Set.of("java.util.Random", "java.util.concurrent.ThreadLocalRandom");

  private final Predicate<CodeUnitAccessTarget> forbidden;

  private Reads(String what, Predicate<CodeUnitAccessTarget> forbidden) {
    super(what);
    this.forbidden = forbidden;
  }

  /** Reads a clock of the machine, or waits by one. */
  static Reads theClock() {
    return new Reads("read the clock or sleep", Reads::isTime);
  }

  /** Draws from a generator that was not handed in. */
  static Reads chance() {
    return new Reads("draw from a generator of their own", Reads::isChance);
  }

  private static boolean isTime(CodeUnitAccessTarget target) {
    String owner = target.getOwner().getName();
    String name = target.getName();
    boolean fromClock =
        target.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Clock.class));
    return TIME.contains(owner + "." + name)
        || (owner.startsWith("java.time.") && name.equals("now") && !fromClock)
        || (owner.equals("java.time.Clock") && name.startsWith("system"))
        || (owner.equals("java.time.Clock") && name.startsWith("tick") && !fromClock)
        || (owner.equals("java.util.Date")
            && name.equals("<init>")
            && target.getRawParameterTypes().isEmpty());
  }

  private static boolean isChance(CodeUnitAccessTarget target) {
    String owner = target.getOwner().getName();
    boolean seeded = !target.getRawParameterTypes().isEmpty();
    return CHANCE.contains(owner + "." + target.getName())
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
