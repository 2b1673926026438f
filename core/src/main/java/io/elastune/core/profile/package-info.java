/** What was measured of a training program. */
@NullMarked
package io.elastune.core.profile;

import org.jspecify.annotations.NullMarked;
