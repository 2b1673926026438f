/**
 * Measures the test classes of a build, for the report at its end (scripts/build-report). JUnit
 * finds the listener in the test jar of this module.
 */
@NullMarked
package io.elastune.core.buildreport;

import org.jspecify.annotations.NullMarked;
