/** The door to what runs a trial's workers on instances. */
@NullMarked
package io.elastune.executor.engine;

import org.jspecify.annotations.NullMarked;
