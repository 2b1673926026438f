/** The job as the user wrote it, checked. */
@NullMarked
package io.elastune.core.job;

import org.jspecify.annotations.NullMarked;
