/** The rates at which instances and trials fail, with their sources. */
@NullMarked
package io.elastune.core.faults;

import org.jspecify.annotations.NullMarked;
